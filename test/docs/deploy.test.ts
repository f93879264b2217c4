import { SEARCH_ATTRIBUTES } from '../../src/contract/workflows';
import { commandOfOperator } from '../cluster/operator';

test("the operator's command registers each search attribute that workflows have, as a keyword, and no other", () => {
  const command = commandOfOperator();
  const named = [...command.matchAll(/--name (\S+)/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(SEARCH_ATTRIBUTES.map(({ name }) => name).sort());
  // The command pairs names and types by position, and ignores a name without a type.
  expect(command.match(/--type \S+/g)).toEqual(SEARCH_ATTRIBUTES.map(() => '--type Keyword'));
});
