import { partOf } from './stryker.mjs';

/** The rules, held by pure tests alone. Left out: what only words events and reasons. */
export default partOf('rules', [
  'src/domain/**/*.ts',
  '!src/domain/{ids,instant,event-types,reference-sentences,rules-cited,explain*,explanation-words,event-facts}.ts',
]);
