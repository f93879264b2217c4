import { describeRefusal } from '../../src/domain/refusals';

test.each([
  ['AUTHORIZATION_REJECTION_RETRYABLE', /refused the debit for now/],
  ['authorization_rejection_retryable', /refused the debit for now/],
  ['AUTHORIZATION_REJECTION_FINAL', /refused the debit for good/],
  ['CONSENT_NOT_VALID', /no longer valid/],
  ['RESOLVED_AS_FAILED', /operator/],
])('the refusal %s is described in a sentence, without its code', (detail, sentence) => {
  expect(describeRefusal(detail)).toMatch(sentence);
  expect(describeRefusal(detail)).toMatch(/^[A-Z][a-z].*[.]$/);
  expect(describeRefusal(detail)).not.toContain('_');
});

test.each(['SOMETHING_NEW', 'constructor', 'toString'])('the unknown refusal %s is described by its code', (detail) => {
  expect(describeRefusal(detail)).toBe(`The payment service refused it with ${detail}.`);
});
