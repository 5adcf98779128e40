/** What stays on the platform, and is billed, when a resource is deleted. */
export interface Outliving {
  /** In words, such as `its bucket`. */
  readonly what: string;
  /** The input and its value with which it is removed, too. */
  readonly unless: string;
}

/** For people who look at a deletion: it is too late for the input once the resource is gone. */
export function sayOutliving({ what, unless }: Outliving): string {
  return `${what} will stay on the platform, and be billed; to remove it, too, set ${unless} and run \`pulumi up\` before the deletion`;
}

/** After the deletion. */
export function saidOutliving({ what, unless }: Outliving): string {
  return `${what} stays on the platform, and is billed: remove it by hand. The input that removes it, too, is ${unless}`;
}
