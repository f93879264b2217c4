import type { Command } from 'commander';
import { severalTimes } from '../api/options';
import type { ConformanceArguments } from './options';

/** Adds `dueday conformance`, whose module is loaded when it runs. */
export function addConformance(program: Command): void {
  program
    .command('conformance')
    .description(
      "tests every statement of the provider's reference against a payment service, never in production; exit 1 if one differs",
    )
    .option('--base-url <url>', 'the address of the service; default: PAYMENT_SERVICE_BASE_URL')
    .option('--token-url <url>', 'where the service issues tokens; default: <base-url>/oauth/token')
    .option(
      '--client-id <id>',
      'of a test merchant; default: PAYMENT_SERVICE_CLIENT_ID. Its secret is always PAYMENT_SERVICE_CLIENT_SECRET',
    )
    .option('--only <rows>', 'rows to play, such as limits or flags/true-false; repeatable', severalTimes)
    .option('--list', 'lists the rows without playing them')
    .option('--json', 'prints JSON')
    .option('--interactive', 'asks you to act as the payer')
    .option('--payer-hook <url>', 'asks your own program to act as the payer')
    .option('--timeout <seconds>', 'the longest that a row may wait for time to pass; default: 20')
    .option('--clock <test clock>', "the service's clock; default: TEST_CLOCK")
    .option('--merchant-category-code <code>', 'of this merchant; default: MERCHANT_CATEGORY_CODE')
    .option('--long-capture-permitted', 'this merchant may set timeToCapture above 604800')
    .option('--other-client-id <id>', 'the client id for the other environment')
    .option('--other-client-secret-file <file>', 'the file with the client secret for the other environment')
    .option('--no-control', "does not use the control routes of dueday's own simulator")
    .action(async (asked: ConformanceArguments) => (await import('./conformance.js')).runConformance(asked));
}
