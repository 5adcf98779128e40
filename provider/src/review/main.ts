import { readFileSync } from "node:fs";
import { toldIn, together } from "./input.ts";
import { planOf } from "./plan.ts";
import { Redactor } from "./secrets.ts";
import { calledOf } from "./subject.ts";

const files = process.argv.slice(2);
const told = together((files.length > 0 ? files : [0]).map((file) => toldIn(readFileSync(file, "utf8"))));
const { subjects } = planOf(told, new Redactor(process.env["CONTAINER_PLATFORM_REVIEW_KEY"]));
for (const subject of subjects) if (subject.operation !== "same") console.log(`${subject.operation} ${calledOf(subject)}`);
