import { isAnsweredSinceLast } from '../../activities/collect/post';
import { MAX_UNANSWERED_SENDS } from '../../src/domain/attempt/limits';
import { useWorld } from './activity-world';

const holder = useWorld();

it.each([
  ['answered, after two sends without an answer', MAX_UNANSWERED_SENDS, -1, true],
  ['not asked after only one send without an answer', MAX_UNANSWERED_SENDS - 1, -1, false],
  ['not answered, if the answer is older than the last unknown send', MAX_UNANSWERED_SENDS, 3_600_000, false],
  ['not asked if no send has an unknown outcome', MAX_UNANSWERED_SENDS, null, false],
])('whether another POST was answered since the last unknown send: %s', async (_when, sends, offset, expected) => {
  const { world } = holder;
  const before = world.clock.realNow();
  await world.collect(world.input(await world.due()));
  const lastUnknownReal = offset === null ? null : before + offset;
  expect(await isAnsweredSinceLast(world.deps.ledger, { sends, lastUnknownReal })).toBe(expected);
});
