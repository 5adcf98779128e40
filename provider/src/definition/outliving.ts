/** A part of a resource that the platform keeps and bills after the deletion. */
export interface Outliving {
  /** For a message, such as `its bucket`. */
  readonly what: string;
  /** The input and its value that delete it too, such as `deleteBucket: true`. */
  readonly unless: string;
}

/** The warning before the deletion. After it, the input has no effect. */
export function sayOutliving({ what, unless }: Outliving): string {
  return `${what} is kept and billed after the deletion. To delete it too, set ${unless} and run \`pulumi up\` first`;
}

/** The warning after the deletion. */
export function saidOutliving({ what, unless }: Outliving): string {
  return `${what} was kept and is still billed. Delete it in the console (${unless} would have deleted it)`;
}
