import { marked } from "marked";

const alerts: Readonly<Record<string, string>> = { CAUTION: "#d1242f", WARNING: "#9a6700", TIP: "#1a7f37" };
const darkAlerts: Readonly<Record<string, string>> = { CAUTION: "#f85149", WARNING: "#d29922", TIP: "#3fb950" };

/** A comment in Markdown as a forge shows it, as far as its width matters: with GitHub's sizes, and its tables that scroll by themselves. */
export async function commentPage(markdown: string): Promise<string> {
  const html = await marked.parse(markdown, { gfm: true });
  const body = html.replaceAll(
    /<blockquote>\s*<p>\[!(\w+)\]\s*/g,
    (_, tone: string) => `<blockquote class="${tone}"><p><b>${tone}</b></p><p>`,
  );
  const rules = (colours: typeof alerts) =>
    Object.entries(colours)
      .map(
        ([tone, colour]) => `blockquote.${tone} { border-color: ${colour}; } blockquote.${tone} > p:first-child > b { color: ${colour}; }`,
      )
      .join("\n");
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><style>
* { box-sizing: border-box; }
body { font: 14px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; margin: 0 auto; padding: 16px; max-width: 760px; overflow-wrap: break-word; }
code { font: 85% ui-monospace, monospace; background: #818b981f; padding: .2em .4em; border-radius: 6px; white-space: break-spaces; }
pre { background: #f6f8fa; padding: 16px; overflow: auto; border-radius: 6px; } pre code { background: none; padding: 0; white-space: pre; }
blockquote { margin: 0 0 16px; padding: 8px 16px; border-left: .25em solid #d1d9e0; } blockquote > p { margin: 0 0 8px; }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; }
th, td { padding: 6px 13px; border: 1px solid #d1d9e0; }
ul, ol { padding-left: 2em; } details { margin-bottom: 16px; }
${rules(alerts)}
@media (prefers-color-scheme: dark) {
body { color: #f0f6fc; background: #0d1117; } code { background: #656c7633; } pre { background: #151b23; }
th, td, blockquote { border-color: #3d444d; }
${rules(darkAlerts)}
}
</style><body>${body}</body>`;
}
