interface UnreadCountProps {
  /** Entries of the thread that this admin has not read: those of the customer's side, and automatic changes of state. */
  unread: number;
}

export function UnreadCount({ unread }: UnreadCountProps) {
  if (unread === 0) return null;
  return <span className="project-unread">{unread > 99 ? '99+ new' : `${unread} new`}</span>;
}
