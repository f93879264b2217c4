/** From when at the earliest to when at the latest something was so: what lies between is not known. Epoch ms. */
export interface Moment {
  readonly earliest: number;
  readonly latest: number;
}

/** What passes on the wire and in the ledger while a request is answered, with room for a busy machine. */
export const HASTE = 20_000;
