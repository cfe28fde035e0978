/** The first line of mails that can be replied to. Most people write their reply above the quoted mail, and so above this line. */
export const replyLine = 'Please write your reply above this line';
