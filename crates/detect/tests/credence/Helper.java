package credence;

/** Public, and there for `Helped`. */
public class Helper {
    public void help(Looks.Helped helped) {
        helped.help();
    }

    public void helpFreely(Looks.Helped helped) {
        helped.helpFreely();
    }
}
