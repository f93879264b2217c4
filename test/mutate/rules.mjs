import { partOf } from './stryker.mjs';

const mutate = [
  'src/domain/**/*.ts',
  '!src/domain/ids.ts',
  '!src/domain/audit/{attempts,cycles,event,events,operations,orders,reference,rules,subscriptions}.ts',
];

/** The rules, held by pure tests alone. Left out: what only words events and reasons. */
export default partOf('rules', 91, mutate, ['test/domain'], 500);
