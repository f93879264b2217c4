import fc from 'fast-check';
import { describeAdminApi } from '../client/description';
import type { Said } from './ask';
import { type Description, type Operation, readDescription } from './description';
import { Judge } from './judge';
import { requestsOf } from './requests';

let description: Description;
let judge: Judge;
beforeAll(async () => {
  description = readDescription(JSON.stringify(await describeAdminApi()));
  judge = new Judge(description);
});

const operationOf = (id: string): Operation => description.operations.find(({ operationId }) => operationId === id)!;

const draw = (seed: number, numRuns: number) => fc.sample(requestsOf(description), { numRuns, seed });

test('the generated requests are the same with the same seed, and different with another', () => {
  expect(draw(7, 100)).toEqual(draw(7, 100));
  expect(draw(8, 100)).not.toEqual(draw(7, 100));
});

test('the generated requests reach every operation, with each role and without a key, and have every kind of fault', () => {
  const drawn = draw(7, 2_000);
  const all = description.operations.map(({ operationId }) => operationId);
  expect([...new Set(drawn.map(({ operation }) => operation.operationId))].toSorted()).toEqual(all.toSorted());
  expect(new Set(drawn.map(({ role }) => role))).toEqual(new Set(['viewer', 'operator', 'admin', null]));
  expect(new Set(drawn.map(({ twist }) => twist)).size).toBe(8);
});

const HEADERS = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
const problem = { type: 'urn:dueday:problem:not_found', title: 'x', status: 404, detail: 'x', code: 'not_found' };
const said = (status: number, body: object, headers: object = {}): Said => ({
  ...{ status, text: JSON.stringify(body) },
  headers: { ...HEADERS, ...headers },
});
const wrong = (answer: Said, role: 'viewer' | 'admin' | null = 'admin') =>
  judge.wrongIn(operationOf('revokeKey'), role, answer);

test('an answer that matches the description is accepted', () => {
  expect(wrong(said(404, problem))).toBeNull();
  expect(wrong(said(403, { ...problem, status: 403, code: 'forbidden' }), 'viewer')).toBeNull();
  expect(wrong(said(401, { ...problem, status: 401, code: 'unauthenticated' }), null)).toBeNull();
});

test.each<[string, Said, 'viewer' | 'admin' | null]>([
  ['500: ', said(500, { ...problem, status: 500 }), 'admin'],
  ['302 is not described', said(302, problem), 'admin'],
  ['404 says of itself 400', said(404, { ...problem, status: 400 }), 'admin'],
  ['404 is not as described', said(404, { ...problem, code: 'of_no_table' }), 'admin'],
  ['404 is of type text/html', said(404, problem, { 'content-type': 'text/html' }), 'admin'],
  ['404 may be cached', said(404, problem, { 'cache-control': 'public' }), 'admin'],
  ['404 shows what is internal', said(404, { ...problem, detail: 'at f (/app/dist/src/a.js:1:1)' }), 'admin'],
  ['404 to viewer', said(404, problem), 'viewer'],
  ['404 without a key', said(404, problem), null],
  ['401 to a good key', said(401, { ...problem, status: 401 }), 'admin'],
])('an answer that does not match the description is reported: %s', (begins, answer, role) => {
  expect(wrong(answer, role)?.slice(0, begins.length)).toBe(begins);
});
