import './account.css';
import type { ReactNode } from 'react';

/** The frame of the screens for mailed links: password reset, address confirmation, admin invitation. */
export function MailedLinkScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="screen wrap mailed-link-screen">
      <h1>{title}</h1>
      {children}
    </section>
  );
}
