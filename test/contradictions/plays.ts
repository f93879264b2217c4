import type { Expected, Kind } from './kind';
import { KINDS } from './table';

/** One subscription with the contradiction of one kind. */
export interface Play {
  readonly subscriptionId: string;
  readonly kind: Kind;
  /** The cycle whose POST gets no answer; null: each is answered. */
  readonly lostAnswerIn: number | null;
  readonly expected: Expected;
}

const USUALLY_LOST = 2;

/** Each kind twice: as it is, and with a lost answer if that says more, else again as it is. */
export function playsOf(only: string | null): readonly Play[] {
  const kinds = KINDS.filter(({ name }) => only === null || name.includes(only));
  return kinds.flatMap((kind): Play[] => {
    const { lostAnswer = { inCycle: USUALLY_LOST } } = kind;
    const number = KINDS.indexOf(kind);
    const plain = { kind, lostAnswerIn: null, expected: kind.expected };
    const other =
      lostAnswer === null
        ? plain
        : { kind, lostAnswerIn: lostAnswer.inCycle, expected: lostAnswer.expected ?? kind.expected };
    return [
      { ...plain, subscriptionId: `kind-${number}-plain` },
      { ...other, subscriptionId: `kind-${number}-${lostAnswer === null ? 'again' : 'lost'}` },
    ];
  });
}
