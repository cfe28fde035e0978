interface UnreadProps {
  /** Entries of the thread that are new to staff: by the customer's side, or automatic. */
  unread: number;
}

export function Unread({ unread }: UnreadProps) {
  if (unread === 0) return null;
  return <span className="project-unread">{unread > 99 ? '99+ new' : `${unread} new`}</span>;
}
