import { now } from '../../format';
import { Shown, useAnswer } from '../common/answers';
import { skippedText } from '../dialogs/subscription';

/** Number of due dates that are read, to find those that a pause skips. */
const DUE_DATES_READ = 60;

/** Which due dates a pause skips (rule 23). @param until epoch ms; null for a pause without an end */
export function Skipped({ id, until }: { readonly id: string; readonly until: number | null }) {
  const params = { path: { id }, query: { count: DUE_DATES_READ } };
  const schedule = useAnswer(['subscription', id], '/v1/subscriptions/{id}/schedule', params);
  return (
    <Shown what="the next due dates" of={schedule}>
      {({ items }) => {
        const { says, each } = skippedText(items, now(), until);
        return (
          <>
            <p>{says}</p>
            {each.length === 0 ? null : (
              <ul>
                {each.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )}
          </>
        );
      }}
    </Shown>
  );
}
