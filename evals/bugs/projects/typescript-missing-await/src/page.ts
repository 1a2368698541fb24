import { loadUsers } from "./users";

export function userList(users: any): string {
  return users.filter((user: any) => user.active).map((user: any) => `<li>${user.name}</li>`).join("");
}

export async function renderPage(title: string): Promise<string> {
  const users = loadUsers();
  const body = userList(users);
  return `<h1>${title}</h1><ul>${body}</ul>`;
}
