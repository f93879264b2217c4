/**
 * `npm run forged`: an outsider who reaches Temporal's port schedules every activity of real processes with inputs that
 * are altered, copied from histories or malformed, without encryption keys and with keys that the outsider lacks.
 * Nothing is due, so every change is the outsider's doing. A few minutes. Last line: `forged: N activities, 0 undue
 * debits, 0 mandates ended, 0 amounts changed`.
 */
import { runCampaign, say } from '../support/campaign';
import { interruption } from '../support/interruption';
import { forge } from './campaign';

async function main(): Promise<number> {
  const { activities, undueDebits, mandatesEnded, amountsChanged } = await forge(interruption(), say);
  for (const each of [...undueDebits, ...mandatesEnded, ...amountsChanged]) say(each);
  const found = [undueDebits, mandatesEnded, amountsChanged].map(({ length }) => length);
  const [debits, ended, changed] = found;
  say(`forged: ${activities} activities, ${debits} undue debits, ${ended} mandates ended, ${changed} amounts changed`);
  return activities > 0 && found.every((count) => count === 0) ? 0 : 1;
}

runCampaign(main);
