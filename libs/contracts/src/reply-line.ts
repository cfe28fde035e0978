/** Mails that can be replied to begin with this line. In a reply, what is above it is the answer, and what follows it is the quoted mail. */
export const replyLine = 'Please write your reply above this line';
