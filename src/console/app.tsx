import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import type { FunctionComponent, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorBoundary, lazy, LocationProvider, Route, Router } from 'preact-iso';
import { ApiError, askAgainAfter, resumeSession } from './client';
import { Layout } from './frame/layout';
import { listenForKeys, rescueFocus } from './keyboard';
import { Empty, ErrorNote, Loading } from './parts';
import { session } from './session';
import { followChanges } from './stream';
import SignIn from './views/sign-in/sign-in';
import Today from './views/today/today';

/** Loads a view when the user first opens it. A failure is final until reload: browsers may cache a failed import. */
function view(load: () => Promise<{ readonly default: FunctionComponent }>) {
  return lazy<FunctionComponent>(() => load().catch(() => ({ default: NotLoaded })));
}

const VIEWS = {
  '/subscriptions': view(() => import('./views/subscriptions/subscriptions')),
  '/subscriptions/:id': view(() => import('./views/subscription/subscription')),
  '/holds': view(() => import('./views/holds/holds')),
  '/jobs/:job?': view(() => import('./views/jobs/jobs')),
  '/attention/:item?': view(() => import('./views/attention/attention')),
  '/payments/:id?': view(() => import('./views/payments/payments')),
  '/money': view(() => import('./views/money/money')),
  '/recovery': view(() => import('./views/recovery/recovery')),
  '/forecast': view(() => import('./views/forecast/forecast')),
  '/notices/:page?': view(() => import('./views/notices/notices')),
  '/events/:id?': view(() => import('./views/events/events')),
  '/audit': view(() => import('./views/audit/audit')),
  '/approvals': view(() => import('./views/approvals/approvals')),
  '/keys': view(() => import('./views/keys/keys')),
};

/** The browser itself handles the paths of the API and its documentation. */
const CONSOLE_PATHS = /^\/(?!v1\/|docs|openapi)/;

function newQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A refusal would only be repeated. When no response arrived, the next change or poll asks again.
        retry: (failures, error) => error instanceof ApiError && error.status >= 500 && failures < 2,
        // A view that shows why it could not be read asks again by itself, although nothing in the ledger has changed.
        refetchInterval: ({ state: { error } }) => askAgainAfter(error),
        networkMode: 'always',
        staleTime: 1_000,
        refetchOnWindowFocus: true,
      },
    },
  });
}

export function App(): VNode {
  return (
    <LocationProvider scope={CONSOLE_PATHS}>
      <Gate />
    </LocationProvider>
  );
}

/** Finds out who is signed in, then shows the console or the sign-in page. */
function Gate(): VNode {
  const [state, setState] = useState<'resuming' | 'done' | { readonly error: unknown }>('resuming');
  const resume = () => {
    setState('resuming');
    resumeSession().then(
      () => setState('done'),
      (error: unknown) => setState({ error }),
    );
  };
  useEffect(resume, []);
  const signedIn = session.value;
  // The key gives another user a fresh page, without anything the previous user was shown or had started.
  if (signedIn !== null) return <Console key={signedIn.name} />;
  if (state === 'done') return <SignIn />;
  return (
    <main class="alone">
      {state === 'resuming' ? <Loading what="your session" /> : <ErrorNote error={state.error} />}
      {state === 'resuming' ? null : (
        <button type="button" onClick={resume}>
          Try again
        </button>
      )}
    </main>
  );
}

/** Its query cache lives as long as the component: for one user and one session. */
function Console(): VNode {
  const [queries] = useState(newQueries);
  useEffect(() => followChanges(queries), []);
  useEffect(listenForKeys, []);
  const [failure, setFailure] = useState<Error | null>(null);
  return (
    <QueryClientProvider client={queries}>
      <Layout>
        {failure === null ? null : <ErrorNote error={failure} />}
        <ErrorBoundary onError={setFailure}>
          <Router
            onRouteChange={() => {
              setFailure(null);
              rescueFocus();
            }}
          >
            <Route path="/" component={Today} />
            {Object.entries(VIEWS).map(([path, View]) => (
              <Route key={path} path={path} component={View} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </ErrorBoundary>
      </Layout>
    </QueryClientProvider>
  );
}

/** A new release renames the scripts, and only a reloaded page knows the new names. It reopens at the same address. */
function NotLoaded(): VNode {
  return (
    <>
      <h1>Not loaded</h1>
      <ErrorNote error="This view could not be loaded." />
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </>
  );
}

function NotFound(): VNode {
  return (
    <>
      <h1>No such page</h1>
      <Empty>
        The console has no page at this address. <a href="/">Today</a> shows what needs your attention.
      </Empty>
    </>
  );
}
