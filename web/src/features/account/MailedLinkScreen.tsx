import './account.css';
import type { ReactNode } from 'react';

export function MailedLinkScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="screen wrap mailed-link-screen">
      <h1>{title}</h1>
      {children}
    </section>
  );
}
