/** Mails that can be replied to begin with this line. Whatever follows it in a reply is quoted. */
export const replyLine = 'Please write your reply above this line';
