import { REPETITIONS } from '../../../domain/subscription/schedule';
import { STANDINGS, SUBSCRIPTION_STATUSES } from '../../../domain/subscription/state';
import { type Address, fromDay, throughDay } from './address';
import { chosenBy, type Filter } from './filters';
import type { QueryOf } from './schemas';
import { pairsOf } from './typed';

/** The API's filter for subscriptions, used by the list and by bulk actions. */
export type Selection = Omit<QueryOf<'listSubscriptions'>, 'limit' | 'cursor' | 'sort'>;

type SelectionFilters = readonly Filter<keyof Selection>[];

export const SELECTION_FILTERS: SelectionFilters = [
  { kind: 'search', name: 'q', label: 'Search', hint: 'id, reference, name or e-mail' },
  { kind: 'choice', name: 'status', label: 'Status', values: SUBSCRIPTION_STATUSES },
  { kind: 'choice', name: 'standing', label: 'Standing', values: STANDINGS },
  { kind: 'choice', name: 'repetition', label: 'Repetition', values: REPETITIONS },
  { kind: 'day', name: 'dueFrom', label: 'Due from', read: fromDay },
  { kind: 'day', name: 'dueTo', label: 'Due through', read: throughDay },
  { kind: 'text', name: 'metadata', label: 'Metadata', hint: 'shop=north', read: pairsOf },
];

/** Filters that can be set only in the URL of the page. */
const ADDRESS_ONLY: SelectionFilters = [
  { kind: 'day', name: 'dueBefore', label: 'Due before', read: fromDay },
  { kind: 'day', name: 'createdFrom', label: 'Created from', read: fromDay },
  { kind: 'day', name: 'createdTo', label: 'Created through', read: throughDay },
];

export function selectionOf(query: Address['query']): Selection {
  return chosenBy<'listSubscriptions'>([...SELECTION_FILTERS, ...ADDRESS_ONLY], query);
}

/** Whether it has no filter, and so selects every subscription. */
export function isEverything(selection: Selection): boolean {
  return JSON.stringify(selection) === '{}';
}
