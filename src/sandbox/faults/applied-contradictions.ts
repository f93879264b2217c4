import type { Authorization, Capture, Payment, Refund } from '../payments/records';
import type { Failure } from '../refusal';
import {
  type AnswerContradiction,
  type Contradiction,
  isRecordContradiction,
  type RecordContradiction,
  type RecordKind,
} from './contradictions';
import type { FaultQueue } from './faults';
import { type ListAnswer, type Listed, misrepresentList } from './list-contradictions';
import { answerInstead, isReallyBooked, isReallyRefused, misrepresent, type View } from './record-contradictions';

type AnyRecord = Authorization | Capture | Refund;

/** What is tracked about a record besides its real state. Real instants. */
interface Noted {
  readonly madeAt: number;
  readonly contradictions: readonly RecordContradiction[];
  /** The id shown instead of the record's own, if any. */
  readonly alias: string | null;
  listedAt: number | null;
  successfulAt: number | null;
}

/** The contradictions that apply to a new record. */
export interface ContradictionPlan {
  readonly contradictions: readonly RecordContradiction[];
  /** Whether the bank refuses the record, regardless of the wallet. */
  readonly isRefused: boolean;
  /** Whether the record is booked, regardless of the wallet. */
  readonly isBooked: boolean;
}

type Outage = Extract<AnswerContradiction, { kind: 'outage' }>;

export type AppliedContradictions = ReturnType<typeof applyContradictions>;

export const ID_FIELD = { authorizations: 'authorizationId', captures: 'captureId', refunds: 'refundId' } as const;

/**
 * Everything the service reports in contradiction to its own records. The records hold the real state; only this module
 * changes what is reported.
 */
export function applyContradictions(faults: FaultQueue) {
  const notes = new WeakMap<AnyRecord, Noted>();
  /** Start of each outage, business time. */
  const startedAt = new WeakMap<Outage, number>();
  const noteOf = (record: AnyRecord): Noted =>
    notes.get(record) ?? { madeAt: -Infinity, contradictions: [], alias: null, listedAt: null, successfulAt: null };
  const shownId = (on: RecordKind, record: AnyRecord): string => noteOf(record).alias ?? idOf(on, record);

  const viewOf = (payment: Payment, on: RecordKind, record: AnyRecord, view: View): View | null => {
    const note = noteOf(record);
    const now = payment.clock.realNow();
    const since = (at: number | null): number => (at === null ? 0 : now - at);
    note.listedAt ??= now;
    if (resultOf(view) === 'successful') note.successfulAt ??= now;
    const moment = {
      age: now - note.madeAt,
      listedFor: since(note.listedAt),
      successfulFor: note.successfulAt === null ? -Infinity : since(note.successfulAt),
      businessAge: payment.clock.now() - record.createdAt,
    };
    return note.contradictions.reduce<View | null>(
      (shown, contradiction) => (shown === null ? null : misrepresent(contradiction, shown, moment)),
      withShownIds(payment, on, record, view),
    );
  };

  const withShownIds = (payment: Payment, on: RecordKind, record: AnyRecord, view: View): View => {
    const named = { ...view, [ID_FIELD[on]]: shownId(on, record) };
    if (on !== 'captures') return named;
    const parent = payment.authorizations.find((one) => one.authorizationId === view['authorizationId']);
    return parent === undefined ? named : { ...named, authorizationId: shownId('authorizations', parent) };
  };

  return {
    /** Takes the contradictions for the next record of this kind. */
    planFor(payment: Payment, on: RecordKind, cycle: number | null): ContradictionPlan {
      const attempt = payment[on].filter((one) => cycleOf(one) === cycle).length;
      const contradictions = faults.takeContradictions(
        (spec): spec is RecordContradiction =>
          isRecordContradiction(spec) && fits(spec, payment, on) && fitsRecord(spec, cycle, attempt),
      );
      return { contradictions, isRefused: isReallyRefused(contradictions), isBooked: isReallyBooked(contradictions) };
    },
    /** Tracks a record that was just added to its payment, at a real instant. */
    record(
      payment: Payment,
      on: RecordKind,
      record: AnyRecord,
      { contradictions }: ContradictionPlan,
      madeAt: number,
    ): void {
      const same = contradictions.find((contradiction) => contradiction.kind === 'same_id');
      const other = same === undefined ? undefined : namesake(payment[on], record, same.as);
      const alias = other === undefined ? null : shownId(on, other);
      notes.set(record, { madeAt, contradictions, alias, listedAt: null, successfulAt: null });
    },
    /** The response to the POST that created the record: a refusal, or a view of it. */
    answer(
      payment: Payment,
      on: RecordKind,
      record: AnyRecord,
      view: View,
    ): { refused: Failure | View } | { view: View } {
      let reported = withShownIds(payment, on, record, view);
      for (const contradiction of noteOf(record).contradictions) {
        const answered = answerInstead(contradiction, reported, ID_FIELD[on]);
        if ('refused' in answered) return answered;
        reported = answered.view;
      }
      return { view: reported };
    },
    /** The response to a request for a list. */
    list(
      payment: Payment,
      on: RecordKind,
      records: readonly AnyRecord[],
      render: (record: AnyRecord) => View,
      query: {
        readonly url: string;
        /** Whether the query selects the record. */
        readonly isSelected: (view: View) => boolean;
        /** Whether the query names no single record by its id: contradictions of lists apply only then. */
        readonly isWhole: boolean;
      },
    ): ListAnswer {
      const contradictions = faults.takeContradictions(
        (spec): spec is AnswerContradiction => query.isWhole && isOfLists(spec) && fits(spec, payment, on),
      );
      const listed = records.flatMap((record): Listed[] => {
        const view = viewOf(payment, on, record, render(record));
        return view === null || !query.isSelected(view)
          ? []
          : [{ view, madeAt: noteOf(record).madeAt, createdAt: record.createdAt }];
      });
      const { clock } = payment;
      const at = { url: query.url, now: clock.now(), realNow: clock.realNow() };
      return misrepresentList(contradictions, merged(listed, ID_FIELD[on]), at);
    },
    /** The outage that a POST hits. A new outage starts with its first POST. */
    outage(payment: Payment, on: RecordKind): Outage | null {
      const now = payment.clock.now();
      const outages = faults.takeContradictions(
        (spec): spec is Outage => spec.kind === 'outage' && fits(spec, payment, on),
      );
      const isUnderWay = (spec: Outage): boolean => {
        const start = startedAt.get(spec) ?? now;
        startedAt.set(spec, start);
        return now < start + spec.minutes * 60_000;
      };
      return outages.find(isUnderWay) ?? null;
    },
    /** Takes the contradictions of this kind for a request about the payment. @returns the oldest, or undefined */
    ofAnswer<Kind extends AnswerContradiction['kind']>(
      kind: Kind,
      payment: Payment,
      on: RecordKind = 'authorizations',
    ) {
      return faults.takeContradictions(
        (spec): spec is Extract<AnswerContradiction, { kind: Kind }> => spec.kind === kind && fits(spec, payment, on),
      )[0];
    },
  };
}

function isOfLists({ kind }: Contradiction): boolean {
  return kind.startsWith('list_');
}

/** One entry per id: the position and creation of the first record, with the state of the last. */
function merged(records: readonly Listed[], idField: string): Listed[] {
  const byId = new Map<unknown, Listed>();
  for (const record of records) {
    const first = byId.get(record.view[idField]);
    const createdAt = first?.view['createdAt'] ?? record.view['createdAt'];
    byId.set(record.view[idField], { ...(first ?? record), view: { ...record.view, createdAt } });
  }
  return [...byId.values()];
}

/** The earlier record whose id a new one is shown with. */
function namesake(
  records: readonly AnyRecord[],
  record: AnyRecord,
  as: 'previous' | 'first' | 'other_cycle',
): AnyRecord | undefined {
  const earlier = records.filter((one) => one !== record);
  const isOfCycle = (one: AnyRecord): boolean => cycleOf(one) === cycleOf(record);
  switch (as) {
    case 'previous':
      return earlier.findLast(isOfCycle);
    case 'first':
      return earlier[0];
    case 'other_cycle':
      return earlier.findLast((one) => !isOfCycle(one));
  }
}

function fits({ match }: Contradiction, { paymentId, merchant }: Payment, on: RecordKind): boolean {
  if (match.on !== on) return false;
  if (match.paymentId !== undefined && match.paymentId !== paymentId) return false;
  return match.clientId === undefined || match.clientId === merchant.clientId;
}

function fitsRecord({ match }: Contradiction, cycle: number | null, attempt: number): boolean {
  if (match.cycle !== undefined && match.cycle !== cycle) return false;
  return match.attempt === undefined || match.attempt === attempt;
}

function cycleOf(record: AnyRecord): number | null {
  return 'date' in record ? (record.date?.cycle ?? null) : null;
}

function idOf(on: RecordKind, record: AnyRecord): string {
  return String((record as unknown as Record<string, unknown>)[ID_FIELD[on]]);
}

function resultOf({ status }: View): string {
  return String((status as { readonly result?: unknown }).result).toLowerCase();
}
