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
import { type ListAnswer, type Listed, misrepresentList } from './list-lies';
import { answerInstead, isBookedInTruth, isRefusedInTruth, misrepresent, type View } from './record-lies';

type AnyRecord = Authorization | Capture | Refund;

/** What is known of a record beside its truth. Real instants. */
interface Noted {
  readonly madeAt: number;
  readonly lies: readonly RecordContradiction[];
  /** The id under which it is shown, where that is not its own. */
  readonly alias: string | null;
  listedAt: number | null;
  successfulAt: number | null;
}

/** The contradictions that a record is made with. */
export interface Fate {
  readonly lies: readonly RecordContradiction[];
  /** Whether the bank refuses it, whatever the wallet does. */
  readonly isRefused: boolean;
  /** Whether it is booked, whatever the wallet does. */
  readonly isBooked: boolean;
}

type Outage = Extract<AnswerContradiction, { kind: 'outage' }>;

export type Lies = ReturnType<typeof createLies>;

export const ID_FIELD = { authorizations: 'authorizationId', captures: 'captureId', refunds: 'refundId' } as const;

/**
 * Everything that the service says against its own record. The record itself holds the truth; what is told of it instead
 * stands here alone.
 */
export function createLies(faults: FaultQueue) {
  const notes = new WeakMap<AnyRecord, Noted>();
  /** When outages began, business time. */
  const begun = new WeakMap<Outage, number>();
  const noteOf = (record: AnyRecord): Noted =>
    notes.get(record) ?? { madeAt: -Infinity, lies: [], alias: null, listedAt: null, successfulAt: null };
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
    return note.lies.reduce<View | null>(
      (shown, lie) => (shown === null ? null : misrepresent(lie, shown, moment)),
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
    /** What is in store for the next record of this kind, used up by it. */
    fateOf(payment: Payment, on: RecordKind, cycle: number | null): Fate {
      const attempt = payment[on].filter((one) => cycleOf(one) === cycle).length;
      const lies = faults.takeContradictions(
        (spec): spec is RecordContradiction =>
          isRecordContradiction(spec) && fits(spec, payment, on) && fitsRecord(spec, cycle, attempt),
      );
      return { lies, isRefused: isRefusedInTruth(lies), isBooked: isBookedInTruth(lies) };
    },
    /** Notes a record that has just been added to its payment, at a real instant. */
    note(payment: Payment, on: RecordKind, record: AnyRecord, { lies }: Fate, madeAt: number): void {
      const same = lies.find((lie) => lie.kind === 'same_id');
      const other = same === undefined ? undefined : namesake(payment[on], record, same.as);
      const alias = other === undefined ? null : shownId(on, other);
      notes.set(record, { madeAt, lies, alias, listedAt: null, successfulAt: null });
    },
    /** What answers the POST that made the record: its refusal, or a view of it. */
    answer(
      payment: Payment,
      on: RecordKind,
      record: AnyRecord,
      view: View,
    ): { refused: Failure | View } | { view: View } {
      let told = withShownIds(payment, on, record, view);
      for (const lie of noteOf(record).lies) {
        const answered = answerInstead(lie, told, ID_FIELD[on]);
        if ('refused' in answered) return answered;
        told = answered.view;
      }
      return { view: told };
    },
    /** The answer to a request for a list; `asked` says which records the query names. */
    list(
      payment: Payment,
      on: RecordKind,
      records: readonly AnyRecord[],
      render: (record: AnyRecord) => View,
      query: {
        readonly url: string;
        /** Whether a record is one of those that the query names. */
        readonly asked: (view: View) => boolean;
        /** Whether it names no record by its own id: then lists may be other than they should be. */
        readonly isWhole: boolean;
      },
    ): ListAnswer {
      const lies = faults.takeContradictions(
        (spec): spec is AnswerContradiction => query.isWhole && isOfLists(spec) && fits(spec, payment, on),
      );
      const listed = records.flatMap((record): Listed[] => {
        const view = viewOf(payment, on, record, render(record));
        return view === null || !query.asked(view)
          ? []
          : [{ view, madeAt: noteOf(record).madeAt, createdAt: record.createdAt }];
      });
      const { clock } = payment;
      const at = { url: query.url, now: clock.now(), realNow: clock.realNow() };
      return misrepresentList(lies, merged(listed, ID_FIELD[on]), at);
    },
    /** The outage in which a POST arrives. One that has not begun begins with it. */
    outage(payment: Payment, on: RecordKind): Outage | null {
      const now = payment.clock.now();
      const outages = faults.takeContradictions(
        (spec): spec is Outage => spec.kind === 'outage' && fits(spec, payment, on),
      );
      const isUnderWay = (spec: Outage): boolean => {
        const began = begun.get(spec) ?? now;
        begun.set(spec, began);
        return now < began + spec.minutes * 60_000;
      };
      return outages.find(isUnderWay) ?? null;
    },
    /** A contradiction of this kind that holds for a request about the payment. */
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

/** One entry for each id: where the first was, made when the first was, and in the state of the last. */
function merged(records: readonly Listed[], idField: string): Listed[] {
  const byId = new Map<unknown, Listed>();
  for (const record of records) {
    const first = byId.get(record.view[idField]);
    const createdAt = first?.view['createdAt'] ?? record.view['createdAt'];
    byId.set(record.view[idField], { ...(first ?? record), view: { ...record.view, createdAt } });
  }
  return [...byId.values()];
}

/** The earlier record under whose id a new one is shown. */
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
