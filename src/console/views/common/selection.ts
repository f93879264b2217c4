import { REPETITIONS } from '../../../domain/subscription/schedule';
import { STANDINGS, SUBSCRIPTION_STATUSES } from '../../../domain/subscription/state';
import { type Address, fromDay, throughDay } from './address';
import type { Filter } from './filters';
import type { QueryOf, Subscription } from './schemas';
import { pairsOf } from './typed';

/** Which subscriptions, as the API takes it: of the list, and of what is done to many at once. */
export type Selection = Omit<QueryOf<'listSubscriptions'>, 'limit' | 'cursor' | 'sort'>;

export const SELECTION_FILTERS: readonly Filter[] = [
  { kind: 'search', name: 'q', label: 'Search', hint: 'id, reference, name or e-mail' },
  { kind: 'choice', name: 'status', label: 'Status', values: SUBSCRIPTION_STATUSES },
  { kind: 'choice', name: 'standing', label: 'Standing', values: STANDINGS },
  { kind: 'choice', name: 'repetition', label: 'Repetition', values: REPETITIONS },
  { kind: 'day', name: 'dueFrom', label: 'Due from' },
  { kind: 'day', name: 'dueTo', label: 'Due through' },
  { kind: 'text', name: 'metadata', label: 'Metadata', hint: 'shop=north' },
];

export function selectionOf(query: Address['query']): Selection {
  return {
    q: query['q'],
    status: query['status'] as Subscription['status'] | undefined,
    standing: query['standing'] as Subscription['standing'] | undefined,
    repetition: query['repetition'] as Subscription['repetition'] | undefined,
    dueFrom: fromDay(query['dueFrom']),
    dueTo: throughDay(query['dueTo']),
    dueBefore: fromDay(query['dueBefore']),
    createdFrom: fromDay(query['createdFrom']),
    createdTo: throughDay(query['createdTo']),
    metadata: pairsOf(query['metadata']),
  };
}

/** Whether it chooses nothing, and so means every subscription. */
export function isEverything(selection: Selection): boolean {
  return JSON.stringify(selection) === '{}';
}
