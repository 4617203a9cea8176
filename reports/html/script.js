// Formulas are set when they come near the window, so that a long page opens at once; all of them before printing.
(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

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
    }, {rootMargin: '600px'});
    formulas.forEach((formula) => near.observe(formula));
    // The rest follows while the reader reads, so that nothing is left to set when a statement is unfolded.
    const waiting = [...formulas];
    const idle = window.requestIdleCallback || ((work) => setTimeout(() => work({timeRemaining: () => 8}), 30));
    const setSome = (deadline) => {
      while (waiting.length > 0 && deadline.timeRemaining() > 2) setFormula(waiting.shift());
      if (waiting.length > 0) idle(setSome);
    };
    idle(setSome);
    window.addEventListener('beforeprint', () => formulas.forEach(setFormula));
  }

  // Folding. A link to a statement unfolds it; printing unfolds all and folds again what was folded.
  const claims = all('details.claim');
  const fold = document.querySelector('.fold');
  fold.hidden = false;
  fold.addEventListener('click', (event) => {
    const open = event.target.dataset.fold;
    if (open) claims.forEach((claim) => { claim.open = open === 'open'; });
  });

  let folded = [];
  window.addEventListener('beforeprint', () => {
    folded = claims.filter((claim) => !claim.open);
    folded.forEach((claim) => { claim.open = true; });
  });
  window.addEventListener('afterprint', () => folded.forEach((claim) => { claim.open = false; }));

  // Filters, for the table and the statements alike.
  const form = document.querySelector('.filters');
  const rows = all('.verdicts tr[data-claim]');
  const shown = form.querySelector('.shown');
  form.hidden = false;

  const textOf = (row) => (row.dataset.text + ' ' + row.textContent).toLowerCase();
  const texts = new Map();

  function matches(row, wanted) {
    if (!texts.has(row)) texts.set(row, textOf(row));
    return Object.entries(wanted).every(([property, value]) =>
        property === 'text' ? value.toLowerCase().split(/\s+/).every((word) => texts.get(row).includes(word))
                            : row.dataset[property] === value);
  }

  function filter() {
    const wanted = {};
    all('[data-filter]', form).forEach((field) => {
      if (field.value) wanted[field.dataset.filter] = field.value;
    });
    let count = 0;
    for (const row of rows) {
      row.hidden = !matches(row, wanted);
      count += row.hidden ? 0 : 1;
      const claim = document.getElementById(row.dataset.claim);
      if (claim) claim.hidden = row.hidden;
    }
    all('.verdicts tbody').forEach((body) => { body.hidden = !body.querySelector('tr[data-claim]:not([hidden])'); });
    shown.textContent = `${count} of ${rows.length} statements`;
  }

  form.addEventListener('input', filter);
  form.addEventListener('reset', () => setTimeout(filter));
  form.addEventListener('submit', (event) => event.preventDefault());
  filter();

  function goToTarget() {
    const claim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!claim || !claim.matches('details.claim')) return;
    claim.hidden = false;
    claim.open = true;
    claim.scrollIntoView();
  }
  window.addEventListener('hashchange', goToTarget);
  goToTarget();

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
