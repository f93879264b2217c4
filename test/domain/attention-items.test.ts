import {
  withAttentionItem,
  withoutAttentionItem,
  withoutAttentionItemsOf,
} from '../../src/domain/subscription/attention-items';
import { active } from './subscription-under-test';

const waiting = (...attention: string[]) => active({}, { standing: { attention, dunning: true, pastDue: true } });

it('items that wait for an operator stand once each, the latest last', () => {
  const twice = withAttentionItem(waiting('unresolved:1', 'capture_failed:2'), 'unresolved:1');
  expect(twice.standing).toEqual({ attention: ['capture_failed:2', 'unresolved:1'], dunning: true, pastDue: true });
});

it('items that wait for an operator end one by one', () => {
  const left = withoutAttentionItem(waiting('unresolved:1', 'capture_failed:1'), 'unresolved:1');
  expect(left.standing).toEqual({ attention: ['capture_failed:1'], dunning: true, pastDue: true });
  expect(withoutAttentionItem(left, 'unresolved:1')).toEqual(left);
});

it('items that wait for an operator end with their cycle, and no other with it', () => {
  const left = withoutAttentionItemsOf(
    waiting('unresolved:1', 'unresolved:11', 'capture_failed:1', 'amount_change_dropped'),
    1,
  );
  expect(left.standing.attention).toEqual(['unresolved:11', 'amount_change_dropped']);
});
