import './account.css';
import type { ReactNode } from 'react';

/** A screen for one step on the way into an account. */
export function AccountPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="screen wrap account-page">
      <h1>{title}</h1>
      {children}
    </section>
  );
}
