import type { components } from '../../src/client/api';
import { at, euros } from './lives';

type Item = components['schemas']['Attention'];

/** An attention item about cycle 1 of `sub_a`, without a recommendation. */
export function item(more: Partial<Item> = {}): Item {
  return {
    item: 'item',
    kind: 'unresolved',
    subscriptionId: 'sub_a',
    paymentId: 'pay_a',
    cycle: 1,
    status: 'active',
    title: 'The outcome of an attempt is unknown',
    explanation: 'The payment service cannot be asked about the attempt.',
    recommended: null,
    amount: euros(1999),
    since: at(8),
    deadline: at(9),
    ledger: null,
    service: null,
    evidence: [],
    related: [],
    assignee: null,
    note: null,
    ...more,
  };
}
