import { ApiError } from '../../src/console/client';
import { RepeatKey } from '../../src/console/repeat-key';

const fault = (status: number, code: string) => new ApiError(status, code, '');

/** Makes a call that has this result. @returns the Idempotency-Key that the call used */
async function tried(key: RepeatKey, result: ApiError | null): Promise<string> {
  let used = '';
  const call = async (current: string) => {
    used = current;
    if (result !== null) throw result;
  };
  await key.use(call).catch(() => undefined);
  return used;
}

test.each([
  ['no answer came', fault(0, 'unreachable')],
  ['the server failed', fault(503, 'not_ready')],
  ['the first try is still running', fault(409, 'idempotency_in_progress')],
])('an action is repeated with the same key if %s', async (_why, lost) => {
  const key = new RepeatKey();
  const first = await tried(key, lost);
  key.leave();
  expect(await tried(key, null)).toBe(first);
});

test.each([
  ['done', null],
  ['refused', fault(409, 'state_conflict')],
])('an action that was %s has another key the next time', async (_what, result) => {
  const key = new RepeatKey();
  expect(await tried(key, result)).not.toBe(await tried(key, null));
});

test('the Idempotency-Key of an earlier try with other input is replaced only once the dialog was left', async () => {
  const key = new RepeatKey();
  const first = await tried(key, fault(0, 'unreachable'));
  expect(await tried(key, fault(422, 'idempotency_key_reused'))).toBe(first);
  expect(await tried(key, fault(422, 'idempotency_key_reused'))).toBe(first);
  key.leave();
  expect(await tried(key, null)).not.toBe(first);
});
