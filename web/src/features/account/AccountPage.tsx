import './account.css';
import type { ReactNode } from 'react';

/** The frame of the screens around signing in: login, registration, password reset. */
export function AccountPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="screen wrap account-page">
      <h1>{title}</h1>
      {children}
    </section>
  );
}
