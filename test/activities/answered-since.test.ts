import { isAnsweredSinceLast } from '../../activities/collect/post';
import { MAX_UNANSWERED_SENDS } from '../../src/domain/attempt/limits';
import { useWorld } from './activity-world';

const holder = useWorld();

it.each([
  ['after two sends without an answer', MAX_UNANSWERED_SENDS, -1, true],
  ['not yet after one send without an answer', MAX_UNANSWERED_SENDS - 1, -1, false],
  ['not if it was answered before the last unknown send', MAX_UNANSWERED_SENDS, 3_600_000, false],
  ['not if no send has an unknown outcome', MAX_UNANSWERED_SENDS, null, false],
])('that another POST was answered meanwhile counts %s', async (_when, sends, offset, expected) => {
  const { world } = holder;
  const before = world.clock.realNow();
  await world.collect(world.input(await world.due()));
  const lastUnknownReal = offset === null ? null : before + offset;
  expect(await isAnsweredSinceLast(world.deps.ledger, { sends, lastUnknownReal })).toBe(expected);
});
