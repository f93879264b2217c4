/** Why something did not happen: a code of the wire, and a sentence for people. */
export interface Rejection {
  readonly detail: string;
  readonly description: string;
}
