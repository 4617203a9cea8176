int attest_plugin_interface(void) { return 999; }
void attest_plugin_claims(void* claims) { (void)claims; }
