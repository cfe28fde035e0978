import { lazy } from 'react';
import { Sent } from '../features/account/Sent.js';

// Loaded only once it is clear that an admin asks: a visitor who is thanked downloads nothing of the admin area.
const Subscribers = lazy(() =>
  import('../features/admin/subscribers.route.js').then(({ Component }) => ({ default: Component })),
);
const Messages = lazy(() =>
  import('../features/admin/messages.route.js').then(({ Component }) => ({ default: Component })),
);

export function SentOrSubscribers() {
  return (
    <Sent>
      <Subscribers />
    </Sent>
  );
}

export function SentOrMessages() {
  return (
    <Sent>
      <Messages />
    </Sent>
  );
}
