import type { Dependencies } from '../../activities';
import type { Authorization, Capture, Refund, ServiceResult } from '../../src/payment-service';
import type { World } from './activity-world';

type Listed<T> = ServiceResult<readonly T[]>;
type Change<T> = (answer: Listed<T>) => Listed<T> | Promise<Listed<T>>;

interface Changes {
  readonly authorizations?: Change<Authorization>;
  readonly captures?: Change<Capture>;
  readonly refunds?: Change<Refund>;
}

/** The service, with its lists changed before the activities read them. */
export function listing(world: World, changes: Changes): Pick<Dependencies, 'service'> {
  const { service } = world.deps;
  const { authorizations = asIs<Authorization>, captures = asIs<Capture>, refunds = asIs<Refund> } = changes;
  return {
    service: world.service({
      listAuthorizations: async (paymentId) => authorizations(await service.listAuthorizations(paymentId)),
      listCaptures: async (...call) => captures(await service.listCaptures(...call)),
      listRefunds: async (paymentId) => refunds(await service.listRefunds(paymentId)),
    }),
  };
}

const asIs = <T>(answer: Listed<T>): Listed<T> => answer;

/** Applies the change to the records of a list, if the list can be read. */
export function lists<T>(change: (records: readonly T[]) => readonly T[]): (answer: Listed<T>) => Listed<T> {
  return (answer) => (answer.kind === 'accepted' ? { ...answer, value: change(answer.value) } : answer);
}

/** Sets these properties, which may have any values, on each record of a list. */
export function listsEach<C extends object>(changes: C) {
  return <T extends Partial<Record<keyof C, unknown>>>(answer: Listed<T>): Listed<T> =>
    lists<T>((records) => records.map((record) => ({ ...record, ...changes })))(answer);
}

export const listsNothing = () => ({ kind: 'accepted', value: [] }) as const;

export const NO_ANSWER = { kind: 'unknown', reason: 'no complete answer' } as const;
export const noAnswer = () => NO_ANSWER;
