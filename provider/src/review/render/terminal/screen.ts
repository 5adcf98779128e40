/** What a text is printed to. */
export interface Screen {
  /** Columns of a line; longer ones are wrapped. `undefined`: none are, such as in a file. */
  readonly width: number | undefined;
  readonly colours: boolean;
}

export const file: Screen = { width: undefined, colours: false };

/** The screen that a stream is: with a width and colours only if it is a terminal, and no colours if `NO_COLOR` is set. */
export function screenOf(stream: { readonly isTTY?: boolean; readonly columns?: number; readonly hasColors?: () => boolean }): Screen {
  if (stream.isTTY !== true) return file;
  // A terminal that tells no width is one of 80 columns.
  return { width: Math.max(40, stream.columns ?? 80), colours: stream.hasColors?.() === true };
}
