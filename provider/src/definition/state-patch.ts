import type { Props } from "../schema/values.ts";

/** Returned by a step to change what the next `read` is given as known. `undefined` makes `read` ask the platform for the value again. */
export class StatePatch {
  readonly props: Props;
  constructor(props: Props) {
    this.props = props;
  }
}
