import type { PaymentService } from '../../src/payment-service';
import { useWorld } from './activity-world';

const POST = { method: 'POST', path: '/authorizations$' } as const;
const LIST = { method: 'GET', path: '/authorizations$' } as const;

const holder = useWorld();

it('a list that cannot be read settles nothing: a debit is found once the list can be read', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const failing: PaymentService['initiate'] = async (...call) => {
    const answer = await world.deps.service.initiate(...call);
    world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, times: 40, match: LIST });
    return answer;
  };
  const { result, stops } = await world.collect(world.input(subscribed), {
    service: world.service({ initiate: failing }),
  });
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
  expect(stops.filter(({ message }) => message.startsWith('the service cannot be asked'))).toHaveLength(40);
});

it('several new authorizations make the cycle unresolved; the debit is adopted once only one is listed', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  let double = true;
  const service = world.service({
    initiate: async (...call) => {
      await world.deps.service.initiate(...call);
      return { kind: 'unknown', reason: 'no complete answer' };
    },
    listAuthorizations: async (paymentId) => {
      const listed = await world.deps.service.listAuthorizations(paymentId);
      if (listed.kind !== 'accepted' || !double) return listed;
      const copies = listed.value.map((each) => ({ ...each, authorizationId: `${each.authorizationId}-copy` }));
      return { kind: 'accepted', value: [...listed.value, ...copies] as typeof listed.value };
    },
  });
  const { result } = await world.collect(world.input(subscribed), { service });
  expect(result).toMatchObject({ kind: 'unresolved', reason: expect.stringContaining('-copy') });
  const settling = world.input(subscribed);
  const stopped = await world.collectOnce(settling, { service });
  expect(stopped).toMatchObject({ type: 'outcome_unknown' });
  double = false;
  expect((await world.collect(settling, { service })).result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
});
