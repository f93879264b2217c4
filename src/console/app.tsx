import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import type { FunctionComponent, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorBoundary, lazy, LocationProvider, Route, Router } from 'preact-iso';
import { ApiError, resumeSession } from './client';
import { Layout } from './frame/layout';
import { listenForKeys, saveFocus } from './keyboard';
import { Empty, ErrorNote, Loading } from './parts';
import { session } from './session';
import { followChanges } from './stream';
import SignIn from './views/sign-in/sign-in';
import Today from './views/today/today';

/** Read once the user goes there. That it could not be read stays so: a browser may keep the failure of an import. */
function view(load: () => Promise<{ readonly default: FunctionComponent }>) {
  return lazy<FunctionComponent>(() => load().catch(() => ({ default: NotLoaded })));
}

const VIEWS = {
  '/subscriptions': view(() => import('./views/subscriptions/subscriptions')),
  '/subscriptions/:id': view(() => import('./views/subscription/subscription')),
  '/bulk/:job?': view(() => import('./views/bulk/bulk')),
  '/attention/:item?': view(() => import('./views/attention/attention')),
  '/payments/:id?': view(() => import('./views/payments/payments')),
  '/money': view(() => import('./views/money/money')),
  '/recovery': view(() => import('./views/recovery/recovery')),
  '/forecast': view(() => import('./views/forecast/forecast')),
  '/notices': view(() => import('./views/notices/notices')),
  '/events/:endpoint?': view(() => import('./views/events/events')),
  '/audit': view(() => import('./views/audit/audit')),
  '/approvals': view(() => import('./views/approvals/approvals')),
  '/keys': view(() => import('./views/keys/keys')),
};

/** Addresses of the API's own pages are left to the browser. */
const OURS = /^\/(?!v1\/|docs|openapi)/;

function newQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A refusal stays one; what did not arrive is asked for again by the next change or poll.
        retry: (failures, error) => error instanceof ApiError && error.status >= 500 && failures < 2,
        networkMode: 'always',
        staleTime: 1_000,
        refetchOnWindowFocus: true,
      },
    },
  });
}

export function App(): VNode {
  return (
    <LocationProvider scope={OURS}>
      <Gate />
    </LocationProvider>
  );
}

/** Asks who is signed in, and shows the page to them or the way in. */
function Gate(): VNode {
  const [asked, setAsked] = useState<'asking' | 'done' | { readonly error: unknown }>('asking');
  const ask = () => {
    setAsked('asking');
    resumeSession().then(
      () => setAsked('done'),
      (error: unknown) => setAsked({ error }),
    );
  };
  useEffect(ask, []);
  const signedIn = session.value;
  // Another person gets a page of their own: with nothing in it that the one before was shown, or has begun.
  if (signedIn !== null) return <Console key={signedIn.name} />;
  if (asked === 'done') return <SignIn />;
  return (
    <main class="alone">
      {asked === 'asking' ? <Loading what="who is signed in" /> : <ErrorNote error={asked.error} />}
      {asked === 'asking' ? null : (
        <button type="button" onClick={ask}>
          Try again
        </button>
      )}
    </main>
  );
}

/** What is read is kept for as long as it stands: for one person, and one session. */
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
              saveFocus();
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

/** A new release has scripts of other names: only the page, read anew, knows of them. It opens at the same address. */
function NotLoaded(): VNode {
  return (
    <>
      <h1>Not loaded</h1>
      <ErrorNote error="This view could not be loaded." />
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </>
  );
}

function NotFound(): VNode {
  return (
    <>
      <h1>No such page</h1>
      <Empty>
        This address names nothing of the console. <a href="/">Today</a> shows what needs you.
      </Empty>
    </>
  );
}
