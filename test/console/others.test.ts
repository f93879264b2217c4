import { othersOf } from '../../src/console/views/common/subscription';
import { subscription } from './lives';

const of = (subscriptionId: string, reference: string) => subscription({ subscriptionId, payer: { reference } });

test('other subscriptions of a payer are those with exactly the same reference, without the one shown', () => {
  const found = [of('sub_a', 'customer-7'), of('sub_b', 'customer-7'), of('sub_c', 'customer-77')];
  expect(othersOf(found, 'sub_a', 'customer-7').map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_b']);
});
