import type { Stage } from './stage';

/** A result of a check, in addition to those of every fault. */
export interface Finding {
  readonly what: string;
  readonly holds: boolean;
  readonly found: string;
}

/** The latest values of a metric, by series. */
type Values = ReadonlyMap<string, number>;

/** A fault that is caused in real processes, and how operators must be told about it. */
export interface Fault {
  readonly name: string;
  /** Real ms for which it lasts. */
  readonly lasts: number;
  /** Real ms from its beginning at which payers fall due. */
  readonly dueIn: readonly number[];
  /** What `/readyz` of some process must say: the failed checks, `halted`, or {@link NO_ANSWER}. */
  readonly unready: readonly string[];
  /** What `dueday doctor` must print, and with which variables it runs. */
  readonly doctor: { readonly says: RegExp; readonly env?: Readonly<Record<string, string>> } | null;
  /** A metric whose series must show it. */
  readonly metric: { readonly name: string; readonly shows: (series: Values) => boolean } | null;
  /** The alert that must fire within five minutes; null if no operator has to act. */
  readonly alert: string | null;
  /** Other alerts that report the same fault or its consequences. */
  readonly alsoFires: readonly string[];
  begin(stage: Stage): Promise<void>;
  /** Further checks while the fault lasts. */
  look?(stage: Stage): Promise<readonly Finding[]>;
  /** Ends the fault. @returns what was found when it ended */
  end(stage: Stage): Promise<readonly Finding[]>;
}
