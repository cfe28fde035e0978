/** Mails that can be replied to begin with this line. In a reply, the answer is usually above it, and the quoted mail below. */
export const replyLine = 'Please write your reply above this line';
