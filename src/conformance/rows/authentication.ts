import { bodyOf, field, text } from '../exchange';
import { accepted, answered, CannotBeTried, refused, same } from '../outcome';
import { type Row, rowsOf } from '../row';

/** All addresses, and one of those reserved for documentation, from which no request comes. */
const EVERY_ADDRESS = ['0.0.0.0/0', '::/0'];
const NOBODY = ['203.0.113.1'];

export const AUTHENTICATION: readonly Row[] = rowsOf('Authentication', {
  'authentication/bearer': [
    'Requests are authenticated with a bearer access token.',
    async (stage) => {
      const trial = await stage.open({ plan: 'SINGLE' });
      const path = `/${trial.paymentId}/consents`;
      accepted(await trial.merchant.call('GET', path), 'a call with a token');
      for (const token of [null, 'made-up']) {
        const answer = refused(
          await trial.merchant.callWith(token, 'GET', path),
          `a call with the token ${String(token)}`,
        );
        same(answer, 'the HTTP status without a valid token', answer.answer.status, 401);
      }
    },
  ],
  'authentication/token-life': [
    'A token is valid for 300 seconds.',
    async (stage) => {
      const answer = answered(await (await stage.merchant()).requestToken(), 'a request for a token');
      same(answer, 'expires_in', field(bodyOf(answer), 'expires_in'), 300);
    },
  ],
  'authentication/separate-credentials': [
    'Sandbox and production use separate credentials; credentials of one environment do not work in the other.',
    async (stage) => {
      const other = await stage.merchant({ environment: 'production' });
      refused(await other.requestToken(), 'credentials of the other environment');
      accepted(await (await stage.merchant()).requestToken(), 'credentials of this environment');
    },
  ],
  'authentication/allow-list': [
    'Restricting access to a list of allowed IP addresses is possible.',
    async (stage) => {
      const shutOut = await stage.merchant({ allowList: NOBODY });
      refused(await shutOut.requestToken(), 'a call from an address that is not on the list');
      const letIn = await (await stage.merchant({ allowList: EVERY_ADDRESS })).requestToken();
      if (text(bodyOf(letIn), 'access_token') === undefined)
        throw new CannotBeTried('a list of all addresses does not let this one in');
    },
  ],
});
