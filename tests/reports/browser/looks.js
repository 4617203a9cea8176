// What a reader would stumble over in the page as it is shown now: content wider than the window, and text that is too
// faint for its ground (WCAG 2: 4.5, and 3 for large text). Returns a list of sentences.
(() => {
  const found = [];
  const name = (element) => element.tagName.toLowerCase() + (element.className && element.className.baseVal === undefined ? '.' + String(element.className).trim().replace(/\s+/g, '.') : '');
  const page = document.scrollingElement;
  const width = document.documentElement.clientWidth;
  if (page.scrollWidth > width) found.push(`the page is ${page.scrollWidth} pixels wide in a window of ${width}`);

  const scrolls = (element) => {
    for (let up = element; up; up = up.parentElement)
      if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(up).overflowX)) return true;
    return false;
  };
  const colour = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return {rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1};
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const c = colour(getComputedStyle(up).backgroundColor);
      if (c.alpha === 1) return c.rgb;
    }
    return [255, 255, 255];
  };

  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || seen.has(element) || element.closest('script, style, .katex-mathml, .skip')) continue;
    seen.add(element);
    if (!element.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.right < 0) continue;
    if (box.right > width + 1 && !scrolls(element)) found.push(`${name(element)} ends at ${Math.round(box.right)}: "${node.data.trim().slice(0, 40)}"`);
    const style = getComputedStyle(element);
    const own = element.closest('svg') ? style.fill : style.color;
    if (!/rgb/.test(own)) continue;
    const first = luminance(colour(own).rgb), second = luminance(ground(element));
    const contrast = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5)) found.push(`${name(element)} has a contrast of ${contrast.toFixed(2)}: "${node.data.trim().slice(0, 40)}"`);
  }
  return found.slice(0, 12);
})()
