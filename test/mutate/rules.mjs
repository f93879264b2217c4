import { partOf } from './stryker.mjs';

const mutate = [
  'src/domain/**/*.ts',
  '!src/domain/ids.ts',
  '!src/domain/audit/{attempts,cycles,event,events,operations,orders,reference,rules,subscriptions}.ts',
];

/** The rules, tested by pure tests only. Code that only words events and reasons is left out. */
export default partOf('rules', 91, mutate, ['test/domain'], 500);
