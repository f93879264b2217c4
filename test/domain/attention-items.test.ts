import {
  withAttentionItem,
  withoutAttentionItem,
  withoutAttentionItemsOf,
} from '../../src/domain/subscription/attention-items';
import { active } from './subscription-under-test';

const waiting = (...attention: string[]) => active({}, { standing: { attention, dunning: true, pastDue: true } });

it('an attention item that is opened twice is listed once, at the end', () => {
  const twice = withAttentionItem(waiting('unresolved:1', 'capture_failed:2'), 'unresolved:1');
  expect(twice.standing).toEqual({ attention: ['capture_failed:2', 'unresolved:1'], dunning: true, pastDue: true });
});

it('closing an attention item leaves the others open', () => {
  const left = withoutAttentionItem(waiting('unresolved:1', 'capture_failed:1'), 'unresolved:1');
  expect(left.standing).toEqual({ attention: ['capture_failed:1'], dunning: true, pastDue: true });
  expect(withoutAttentionItem(left, 'unresolved:1')).toEqual(left);
});

it('closing the attention items of a cycle closes all of them, and no others', () => {
  const left = withoutAttentionItemsOf(
    waiting('unresolved:1', 'unresolved:11', 'capture_failed:1', 'amount_change_dropped'),
    1,
  );
  expect(left.standing.attention).toEqual(['unresolved:11', 'amount_change_dropped']);
});
