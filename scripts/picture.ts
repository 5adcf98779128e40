import { readFileSync, writeFileSync } from "node:fs";

// Draws the last screen of a recorded terminal session as an SVG. The picture in the README is made with
//   script --quiet --command "stty cols 118 rows 60; npm run up" recording
//   node scripts/picture.ts recording "npm run up" docs/get-started/up.svg
const [recording = "", command = "", target = ""] = process.argv.slice(2);

interface Style {
  readonly colour: string;
  readonly bold: boolean;
  readonly underlined: boolean;
}

interface Cell extends Style {
  readonly character: string;
}

const background = "#1b1f27";
const plain: Style = { colour: "#d5dae3", bold: false, underlined: false };
/** The first 16 of a terminal's 256 colours. */
const palette =
  "#5c6370 #e06c75 #8fc379 #d9b36c #61afef #c678dd #56b6c2 #d5dae3 #7f8794 #f07f87 #9fd889 #e5c07b #7cc0ff #d59bea #6fd0dc #ffffff".split(
    " ",
  );

const prompt = Array.from(`$ ${command}`, (character) => ({ ...plain, bold: true, character }));
writeFileSync(target, drawn([prompt, [], ...tidied(shown(readFileSync(recording, "utf8")))]));

/** The lines on the screen at the end of the recording. */
function shown(text: string): Cell[][] {
  const screen: Cell[][] = [];
  let [row, column, style] = [0, 0, plain];
  for (const [token, parameters = "", control = ""] of text.matchAll(/\x1b\[([\d;?]*)([A-Za-z])|\x1b\].*?(?:\x07|\x1b\\)|[^\x1b]/gsu)) {
    const line = (screen[row] ??= []);
    const count = Number(parameters || "1");
    if (control === "m") style = styled(style, parameters.split(";").map(Number));
    else if (control === "A") row = Math.max(0, row - count);
    else if (control === "G") column = count - 1;
    else if (control === "K") line.length = Math.min(line.length, column);
    else if (control === "J") screen.length = row + 1;
    else if (token === "\n") row++;
    else if (token === "\r") column = 0;
    else if (token.length <= 2 && token >= " ") {
      while (line.length < column) line.push({ ...plain, character: " " });
      line[column++] = { ...style, character: token };
    }
  }
  return screen;
}

function styled(style: Style, [first = 0, ...rest]: readonly number[]): Style {
  if (first === 0) return plain;
  if (first === 1) return { ...style, bold: true };
  if (first === 4) return { ...style, underlined: true };
  const index = first === 38 ? rest[1] : first >= 90 ? first - 82 : first - 30;
  return { ...style, colour: palette[index ?? -1] ?? style.colour };
}

/** The lines from the engine's first to its last, without the output of npm and of the recording. */
function tidied(screen: readonly Cell[][]): Cell[][] {
  const texts = screen.map((line) => line.map(({ character }) => character).join(""));
  const first = texts.findIndex((text) => text.includes("Updating ("));
  const last = texts.findLastIndex((text) => text.startsWith("Duration"));
  return screen.slice(first, last + 1);
}

function drawn(lines: readonly (readonly Cell[])[]): string {
  const [width, height, margin] = [8.4, 19, 18];
  const columns = Math.max(...lines.map((line) => line.length));
  const size = [Math.ceil(columns * width + 2 * margin), lines.length * height + 2 * margin];
  const texts = lines.flatMap((line, row) =>
    runs(line).map(({ column, style, text }) => {
      const look = [
        `fill="${style.colour}"`,
        style.bold && 'font-weight="bold"',
        style.underlined && 'text-decoration="underline"',
        `textLength="${(text.length * width).toFixed(1)}"`,
      ];
      const place = `x="${(margin + column * width).toFixed(1)}" y="${margin + (row + 0.75) * height}"`;
      return `  <text ${place} ${look.filter(Boolean).join(" ")}>${escaped(text)}</text>`;
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(" ")}" width="${size[0]}" role="img" aria-label="${command}">`,
    `  <rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    `  <g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...texts.map((text) => `  ${text}`),
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

/** The words of a line. Words with the same style and one blank between them are one run. */
function runs(line: readonly Cell[]): { column: number; style: Style; text: string }[] {
  const parts: { column: number; style: Style; text: string }[] = [];
  for (const [column, { character, ...style }] of line.entries()) {
    const last = parts.at(-1);
    if (last && JSON.stringify(last.style) === JSON.stringify(style)) last.text += character;
    else parts.push({ column, style, text: character });
  }
  return parts.flatMap(({ column, style, text }) =>
    [...text.matchAll(/\S+(?: \S+)*/g)].map((word) => ({ column: column + word.index, style, text: word[0] })),
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
