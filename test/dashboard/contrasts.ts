/** An expression that lists the texts of a page whose contrast with what is behind them is below 4.5 (WCAG 2.2, level AA). */
export const contrasts = `(() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { rgb: [r, g, b], a }; };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const { rgb, a } = parse(getComputedStyle(one).backgroundColor);
      if (a === 1) return rgb;
    }
    return [255, 255, 255];
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const poor = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const one = text.parentElement;
    if (text.data.trim() === "" || one.closest("noscript, .unseen, .skip, dialog:not([open])")) continue;
    const [front, back] = [light(parse(getComputedStyle(one).color).rgb), light(behind(one))];
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    if (contrast < 4.5) poor.push(contrast.toFixed(2) + " " + text.data);
  }
  return poor;
})()`;
