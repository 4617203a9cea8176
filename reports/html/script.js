// Formulas, folding, filters and copying. Every page carries this file; each part works where its elements are.
(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Formulas are set when they come near the window, so that a long page opens at once and stays small.
  function setFormula(element) {
    if (element.classList.contains('set')) return;
    const source = element.textContent;
    katex.render(source, element, {
      displayMode: 'display' in element.dataset,
      throwOnError: false,
      errorColor: 'currentColor',
      strict: 'ignore',
    });
    element.classList.add('set');
  }

  if (typeof katex !== 'undefined') {
    const formulas = all('.tex');
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        near.unobserve(entry.target);
        setFormula(entry.target);
      }
    }, {rootMargin: '800px'});
    formulas.forEach((formula) => near.observe(formula));
    // Paper does not scroll: what cannot break and is wider than its column is set smaller there. In pixels of a sheet of
    // A4 and of the letters that style.css prints with; letters do not shrink evenly, so some room is left.
    const letter = 9.5 * 96 / 72, sheet = 630, column = 300;
    const fit = (formula) => {
      const set = formula.querySelector('.katex');
      if (!set || !('display' in formula.dataset)) return;
      const widest = Math.max(0, ...[...set.querySelectorAll('.base')].map((base) => base.offsetWidth));
      const printed = widest / parseFloat(getComputedStyle(set).fontSize) * letter;
      const half = formula.closest('.side:not(:only-child)') && !formula.closest('.wide');
      const room = half ? column : sheet;
      if (printed > room) formula.style.setProperty('--fit', (room / printed).toFixed(3));
    };
    // What is folded is not printed, so its formulas can wait.
    window.addEventListener('beforeprint', () => formulas.forEach((formula) => {
      if (formula.closest('details:not([open])') || formula.closest('[hidden]')) return;
      setFormula(formula);
      if (!formula.style.getPropertyValue('--fit')) fit(formula);
    }));
  }

  // Folding.
  const claims = all('details.claim');
  const fold = document.querySelector('.fold');
  if (fold) {
    fold.hidden = false;
    fold.addEventListener('click', (event) => {
      const open = event.target.dataset.fold;
      if (open) claims.forEach((claim) => { if (!claim.hidden) claim.open = open === 'open'; });
    });
  }

  // Search: the same words as reports/text/search_words.hpp.
  const canonical = (word) => (attestSynonyms.find((kind) => kind.includes(word)) || [word])[0];
  const isLabelKind = (word) => attestSynonyms.slice(0, attestLabelKinds).some((kind) => kind[0] === word);
  const hasDigit = (word) => /[0-9]/.test(word);

  function termsOf(query) {
    const words = (query.toLowerCase().match(/[a-z0-9\u0080-\uffff]+(\.[a-z0-9\u0080-\uffff]+)*/g) || []).map(canonical);
    const terms = [];
    for (let i = 0; i < words.length; ++i) {
      const labelled = isLabelKind(words[i]) && i + 1 < words.length && hasDigit(words[i + 1]);
      const text = labelled ? `${words[i]} ${words[++i]}` : words[i];
      const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      terms.push(labelled || hasDigit(text) ? new RegExp(` ${escaped}(?![0-9])`) : new RegExp(escaped));
    }
    return terms;
  }

  // Filters act on everything that stands for a statement, and live in the page's address.
  const form = document.querySelector('.filters');
  const items = all('[data-item]').filter((item) => !form || !item.closest('#findings'));
  if (form) {
    const fields = all('[data-filter]', form);
    const shown = form.querySelector('.shown');
    form.hidden = false;
    const given = new URLSearchParams(location.search);
    for (const field of fields) {
      const value = given.get(field.dataset.filter) || '';
      field.value = value;
      if (field.value !== value) field.value = '';
    }

    const filter = () => {
      const wanted = fields.filter((field) => field.value);
      const terms = wanted.filter((field) => field.dataset.filter === 'q').flatMap((field) => termsOf(field.value));
      let count = 0;
      for (const item of items) {
        const fits = wanted.every((field) => field.dataset.filter === 'q' ||
            item.dataset[field.dataset.filter] === field.value) && terms.every((term) => term.test(item.dataset.text));
        item.hidden = !fits;
        count += fits ? 1 : 0;
      }
      all('.group').forEach((group) => { group.hidden = !group.querySelector('[data-item]:not([hidden])'); });
      shown.textContent = `${count} of ${items.length} statements`;
      return wanted;
    };

    const remember = () => {
      const parameters = new URLSearchParams();
      for (const field of filter()) parameters.set(field.dataset.filter, field.value);
      const query = parameters.toString();
      try {
        history.replaceState(null, '', (query ? '?' + query : location.pathname) + location.hash);
      } catch (refused) { /* some browsers keep the address of a file as it is */ }
    };

    form.addEventListener('input', remember);
    form.addEventListener('reset', () => setTimeout(remember));
    form.addEventListener('submit', (event) => event.preventDefault());
    filter();
  }

  // A link to a statement unfolds it; on the index its row leads on to the page where it stands in full.
  function goToTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.matches('[data-item]')) return;
    target.hidden = false;
    if (target.matches('tr')) {
      location.replace(target.querySelector('a').href);
      return;
    }
    const group = target.closest('.group');
    if (group) group.hidden = false;
    if (target.matches('details')) target.open = true;
    target.scrollIntoView();
  }
  window.addEventListener('hashchange', goToTarget);
  goToTarget();

  // In the graph of statements: the lines of the one that is pointed at, and of what it rests on, stay bright.
  for (const graph of all('ol.graph')) {
    const rows = all('li', graph);
    const light = (row) => {
      all('.passing', graph).forEach((line) => line.remove());
      all('.lit', graph).forEach((line) => line.classList.remove('lit'));
      if (!row) return;
      const owners = new Set([String(rows.indexOf(row)), ...all('circle', row).map((dot) => dot.dataset.laneOf)]);
      all('[data-lane-of]', graph).forEach((line) => line.classList.toggle('lit', owners.has(line.dataset.laneOf)));
      // Lanes that pass a row are one path for each verdict: the bright ones are drawn over it.
      for (const lanes of all('[data-passing]', graph)) {
        for (const [owner, x] of lanes.dataset.passing.split(' ').map((passing) => passing.split(':'))) {
          if (!owners.has(owner)) continue;
          const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
          line.setAttribute('class', `${rows[owner].querySelector('.square').classList[1]} lit passing`);
          line.setAttribute('d', `M${x},0V999`);
          lanes.append(line);
        }
      }
    };
    for (const kind of ['mouseover', 'focusin']) graph.addEventListener(kind, (event) => light(event.target.closest('li')));
    for (const kind of ['mouseleave', 'focusout']) graph.addEventListener(kind, () => light(null));
  }

  // Replay commands can be copied where the browser allows it.
  if (navigator.clipboard) {
    for (const replay of all('.replay')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Copy';
      button.addEventListener('click', () => {
        navigator.clipboard.writeText(replay.querySelector('code').textContent)
            .then(() => { button.textContent = 'Copied'; }, () => { button.textContent = 'Could not copy'; });
      });
      replay.append(button);
    }
  }
})();
