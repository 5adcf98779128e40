import type { Props } from "../schema/values.ts";

/** What a step answers with where it has learnt something that `read` is to be given, or has to ask for anew (`undefined`). */
export class StatePatch {
  readonly props: Props;
  constructor(props: Props) {
    this.props = props;
  }
}
