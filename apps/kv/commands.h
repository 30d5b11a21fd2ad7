/* The commands of kv. Each takes its own argv (argv[0] is the command's name) and returns the exit code. */
#ifndef KV_COMMANDS_H
#define KV_COMMANDS_H

int serve_main(int argc, char **argv);
int load_main(int argc, char **argv);
int check_main(int argc, char **argv);
int get_main(int argc, char **argv);
int put_main(int argc, char **argv);
int del_main(int argc, char **argv);
int list_main(int argc, char **argv);
int scan_main(int argc, char **argv);
int import_main(int argc, char **argv);
int stats_main(int argc, char **argv);
int bench_main(int argc, char **argv);

#endif
