import type { Exchange } from '../../src/conformance/exchange';
import { Differs, refused } from '../../src/conformance/outcome';

const answeredWith = (status: number, body: unknown): Exchange => ({
  request: { method: 'POST', url: 'http://127.0.0.1:1/payments', headers: {} },
  answer: { status, headers: {}, text: JSON.stringify(body) },
});

const FAILED = { result: 'FAILED', detail: 'INTERNAL_ERROR', description: 'try again later' };

it.each([400, 422, 200])('a failure with status %i is a refusal', (status) => {
  const answer = answeredWith(status, FAILED);
  expect(refused(answer, 'a capture after the validity')).toBe(answer);
});

it.each([500, 502, 503])(
  'a failure with status %i is not a refusal, as the request may have been carried out',
  (status) => {
    const answer = answeredWith(status, FAILED);
    expect(() => refused(answer, 'a capture after the validity')).toThrow(Differs);
    expect(() => refused(answer, 'a capture after the validity')).toThrow(
      `a capture after the validity should be refused; the answer was ${status} INTERNAL_ERROR, try again later`,
    );
  },
);
