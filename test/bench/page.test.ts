import { expect, test } from "vitest";
import { sectionOf, withSection } from "./page.ts";

const page = `# Performance

<!-- review: begin -->

old review

<!-- review: end -->

<!-- client: begin -->

old client

<!-- client: end -->
`;

test("a group that is measured takes the place of its own table, and leaves those of others", () => {
  const written = withSection(page, "client", "new client");
  expect(written).toBe(page.replace("old client", "new client"));
});

test("a page without a place for a group is refused", () => {
  expect(() => withSection(page, "moto", "rates")).toThrow("<!-- moto: begin -->");
});

test("a section has its machine, each figure, and below the table why goals are missed, each reason once", () => {
  const slow = "the platform works in the same process";
  const section = sectionOf("Measured on 2026-01-31: 2 processors.", [
    { name: "calls", atMost: 6, measured: [5, 4, 6], missed: slow },
    { name: "up", atMost: 1.05, measured: [1.1, 1.2, 1.3], missed: slow },
    { name: "destroy", atMost: 1.05, measured: [1.4], missed: slow },
    { name: "rate", atLeast: 40, measured: [30] },
    { name: "time", measured: [2] },
  ]);
  expect(section).toBe(`Measured on 2026-01-31: 2 processors.

| Figure | Goal | Median | From … to | |
| - | - | -: | -: | - |
| calls | at most 6.00 | 5.00 | 4.00 to 6.00 |  |
| up | at most 1.05 | 1.20 | 1.10 to 1.30 | missed (1) |
| destroy | at most 1.05 | 1.40 | 1.40 to 1.40 | missed (1) |
| rate | at least 40.00 | 30.00 | 30.00 to 30.00 | missed |
| time |  | 2.00 | 2.00 to 2.00 |  |

1. ${slow}`);
});
